A rectangular matrix of integers                                        |KEY    
             3             1             1             1
ira                        3             2             3             0
(26I3)          (40I2)          (26I3)              
  1  3  4
 1 3 2
  5 -6  7
