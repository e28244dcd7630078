extern int ext(int); extern int ext2(int);
static int impl(int a){return a+2;}
static void *res(void){return impl;}
int ifn(int) __attribute__((ifunc("res")));
int data_obj=3; __attribute__((weak)) int wk(int a){return a;} int al(int) __attribute__((alias("wk")));
int _Z3fooi(int a){return ext(a)+ext2(a)+ifn(a)+wk(a);} int _Z3bari(int) __attribute__((alias("_Z3fooi")));
