# What branch records tell of code.
=== instructions per cycle at branches, and their cycles
needs: feature:libcapstone
threads: 1 3
argv: perf annotate --stdio2 -q -f -i $DATA/branches/stack.data --symfs $DATA/branches loop
--- stdout
Samples: 5  of event 'cycles', Event count (approx.): 5003, [percent: local period]
loop() /walk
Percent  IPC Cycle                     
                                       
                                       
                        Disassembly of section .text:
                                       
                        0000000000400172 <loop>:
                        loop():               
                        ././walk.c:22         
                          push %rbp                 
                          mov  %rsp,%rbp            
                          push %r14                 
                          push %r13                 
                          push %r12                 
                          push %rbx                 
                          mov  %edi,%r14d           
                        ././walk.c:25         
                          mov  $0x0,%r13d           
                        ././walk.c:23         
                          mov  $0x0,%ebx            
                        ././walk.c:26         
                          mov  %edi,%r12d           
                          and  $0x7,%r12d           
                        ././walk.c:25         
 20.03                    test %edi,%edi            
 20.01 13.00     1      ↓ jne  3a                   
                        ././walk.c:23         
                          mov  %edi,%ebx            
                        ././walk.c:32         
                    26:   mov  %ebx,%eax            
                          pop  %rbx                 
 19.99                    pop  %r12                 
                          pop  %r13                 
                          pop  %r14                 
                          pop  %rbp                 
                        ← ret                       
                        ././walk.c:25 (discriminator 2)
                    31:   add  $0x1,%r13d           
                          cmp  %r13d,%r14d          
                        ↑ je   26                   
                        ././walk.c:26         
                    3a:   mov  $0x0,%eax            
                          test %r12d,%r12d          
        0.03   134      ↓ je   54                   
                        ././walk.c:27 (discriminator 3)
 19.99              44:   mov  total,%edx           
                          add  %edx,%ebx            
                        ././walk.c:26 (discriminator 3)
                          add  $0x1,%eax            
 19.99                    cmp  %r12d,%eax           
       11.00     1      ↑ jne  44                   
                        ././walk.c:28         
                    54:   test $0x4,%bl             
        2.00     1      ↑ je   31                   
                        ././walk.c:29         
                          mov  %r13d,%edi           
        0.02   200      → call leaf                 
                          add  %eax,%ebx            
        2.00     1      ↑ jmp  31                   

